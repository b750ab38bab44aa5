import { ownChangeEntry } from '#lib/access/own-change.ts';
import type { MovedHome } from '#lib/routing/router.ts';
import type { FleetView } from '#lib/routing/types.ts';
import type { ModelSetting } from '#server/store/store.ts';
import type { AdmissionGate } from './admission-gate.ts';
import type { ClockedRouter } from './clocked-router.ts';
import type { SharedSetting } from './fleet-host.ts';
import type { FleetMembership } from './fleet-membership.ts';
import type { HomeMemory } from './home-memory.ts';
import type { ModelJournal } from './model-journal.ts';
import type { ModelSettings } from './model-settings.ts';
import type { Replicas } from './replicas.ts';
import { settingChangeEntry } from './setting-change.ts';
import { shownKey } from './shown-key.ts';

/** The parts of a model that a person may change. */
export type ChangedModel = {
  readonly name: string;
  readonly settings: ModelSettings;
  readonly replicas: Replicas;
  readonly router: ClockedRouter;
  readonly admission: AdmissionGate;
  readonly memory: HomeMemory;
  readonly membership: FleetMembership;
  readonly journal: ModelJournal;
  /** Makes the view of the replicas anew. */
  readonly look: () => FleetView;
};

/** What persons change of one model: its settings, which replicas drain, where a conversation lives. */
export class ChangesByHand {
  readonly #model: ChangedModel;

  constructor(model: ChangedModel) {
    this.#model = model;
  }

  /**
   * Puts a change in force for the next request, once it is saved. Rejects when it could not be saved. `by`: who is to
   * stand for it in the audit list, null where the call that a person made is written down there.
   */
  async changeSetting(change: Partial<ModelSetting>, by: string | null): Promise<void> {
    const { settings, membership } = this.#model;
    const before = await membership.changeSetting(() => settings.change(change));
    if (by !== null) this.#auditSetting(before, by);
  }

  setDraining(replica: number, draining: boolean): void {
    const { replicas, membership } = this.#model;
    if (!replicas.setDraining(replica, draining)) return;
    this.#onDrained(replica, draining);
    membership.settingChanged();
  }

  /** A person changed something at another warden. */
  async take({ setting, draining }: SharedSetting, by: string): Promise<void> {
    const { name, settings, replicas, journal } = this.#model;
    this.#auditSetting(await settings.take(setting), by);
    for (const { replica, draining: drains } of replicas.takeDrained(draining)) {
      this.#onDrained(replica, drains);
      const subject = `${name} · ${replica}`;
      const change = { action: 'replica.drain', before: { draining: !drains }, after: { draining: drains } };
      journal.audit((now) => ownChangeEntry({ actor: by, subject, ...change }, now));
    }
  }

  /**
   * Moves a conversation to another home, from its next turn on. `unfit`: that replica takes no conversations now;
   * `none`: it has no home, or there is no other replica that is open.
   */
  moveSession(keyHash: string, to: number | 'least_loaded'): MovedHome | 'unfit' | 'none' {
    const { router, settings, journal, look } = this.#model;
    const view = look();
    const replica = to === 'least_loaded' ? null : view.replicas[to];
    if (replica !== null && (replica === undefined || !replica.up || replica.draining)) return 'unfit';
    const moved = router.moveHome(keyHash, to, view, settings.policy);
    if (moved === null) return 'none';
    this.#onHome(keyHash, moved.to);
    const session = shownKey(keyHash);
    const detail = `session ${session} was moved by hand from replica ${moved.from} to replica ${moved.to}`;
    journal.event('session_moved', `${detail}; its next turn goes there`, { session, ...moved });
    return moved;
  }

  /** Forgets where a conversation lives: its next turn is placed anew. False where it had no home. */
  forgetSession(keyHash: string): boolean {
    const { router, journal } = this.#model;
    const known = router.forget(keyHash);
    if (!known) return false;
    this.#onHome(keyHash, null);
    const session = shownKey(keyHash);
    const detail = `the home of session ${session} was forgotten; its next turn is placed anew`;
    journal.event('session_forgotten', detail, { session });
    return true;
  }

  /** A conversation has another home (null: none), which is to be saved, to outlive its place, and to be told. */
  #onHome(keyHash: string, replica: number | null): void {
    const { router, admission, memory, membership } = this.#model;
    memory.replaced();
    admission.movedByHand(keyHash);
    const source = router.home(keyHash)?.source ?? 'console';
    membership.moved({ hash: keyHash, source }, replica, true);
  }

  #onDrained(replica: number, draining: boolean): void {
    const { journal, look } = this.#model;
    look();
    const what = draining ? 'is draining: it takes no new conversations' : 'takes conversations again';
    journal.event(draining ? 'drain' : 'undrain', `replica ${replica} ${what}`, { replica });
  }

  #auditSetting(before: ModelSetting, actor: string): void {
    const { name, settings, journal } = this.#model;
    const change = { model: name, before, after: settings.setting, actor };
    journal.audit((now) => settingChangeEntry(change, now));
  }
}
