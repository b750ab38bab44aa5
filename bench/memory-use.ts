import { createClient } from '@redis/client';

/** Processor time in ms, and commands, that a Redis or Valkey has used since it began; scripts' inner commands are not counted apart. */
export type MemoryUse = { readonly cpuMs: number; readonly commands: number };

export async function memoryUse(url: string): Promise<MemoryUse> {
  const client = await createClient({ url }).connect();
  const cpu = await client.info('cpu');
  const stats = await client.info('stats');
  client.destroy();
  const read = (text: string, name: string): number => Number(new RegExp(`^${name}:(\\S+)`, 'm').exec(text)?.[1]);
  return {
    cpuMs: 1000 * (read(cpu, 'used_cpu_user') + read(cpu, 'used_cpu_sys')),
    commands: read(stats, 'total_commands_processed'),
  };
}

export const between = (before: MemoryUse, after: MemoryUse): MemoryUse => ({
  cpuMs: after.cpuMs - before.cpuMs,
  commands: after.commands - before.commands,
});
