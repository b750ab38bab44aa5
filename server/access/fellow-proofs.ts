import { readUpstreamUrl } from '#lib/config/upstream-url.ts';
import { OWN_FIGURES_PATH } from '#lib/contract/fleet.ts';
import type { Fleet } from '#server/fleet/fleet.ts';
import type { Vault } from '#server/fleet/vault.ts';

/**
 * How a warden shows another that it is of the same fleet: a time of the shared clock, sealed with the fleet's secret for
 * one call to one URL. Whoever is sent one (as by a false record in the memory) can use it nowhere else, and not for long.
 */
export type FellowProofs = {
  /** For the warden at `url`; null where that is no URL, or while nothing is known of the shared clock. */
  prove(url: string): string | null;
  /** True for what was made with the fleet's secret, for this warden, a moment ago. */
  isProof(proof: string): boolean;
};

/** Longer than an answer may take, and than what wardens know of the shared clock differs. */
const GOOD_FOR_MS = 30_000;
/** Longer than any time that was sealed; more is not looked at. */
const LONGEST = 100;

export function createFellowProofs(vault: Vault, fleet: Pick<Fleet, 'apiUrl' | 'sharedNow'>): FellowProofs {
  return {
    prove(url) {
      const now = fleet.sharedNow();
      const place = placeOf(url);
      return now === null || place === null ? null : vault.seal(place, String(Math.round(now)));
    },
    isProof(proof) {
      const now = fleet.sharedNow();
      const place = placeOf(fleet.apiUrl);
      if (now === null || place === null || proof.length > LONGEST) return false;
      const madeAt = vault.open(place, proof);
      return madeAt !== null && /^\d{1,16}$/.test(madeAt) && Math.abs(now - Number(madeAt)) <= GOOD_FOR_MS;
    },
  };
}

/** No record of the shared memory lies at such a place: those are digests. */
function placeOf(url: string): string | null {
  // Which addresses may be asked is decided where they are: here two spellings of one URL become one.
  const read = readUpstreamUrl(url, [URL.parse(url)?.hostname ?? '']);
  return read.ok ? `GET ${OWN_FIGURES_PATH} of ${read.url}` : null;
}
