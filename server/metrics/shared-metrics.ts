import { Gauge, type Registry } from 'prom-client';
import type { Fleet } from '#server/fleet/fleet.ts';

/** What a warden of a fleet knows of the others. A warden that is alone has none of it. */
export type SharedMetrics = { refresh(): void };

export function createSharedMetrics(register: Registry, wardens: Pick<Fleet, 'isUp' | 'members'>): SharedMetrics {
  const registers = [register];
  const up = new Gauge({
    name: 'warden_shared_memory_up',
    help: '1 while the memory that the wardens share is reached; absent where nothing is shared.',
    registers,
  });
  const members = new Gauge({
    name: 'warden_fleet_members',
    help: 'Wardens that this one knows of, itself included, as last heard; absent where nothing is shared.',
    registers,
  });
  return {
    refresh() {
      up.set(wardens.isUp ? 1 : 0);
      members.set(wardens.members().length);
    },
  };
}
