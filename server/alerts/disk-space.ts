import { statfs } from 'node:fs/promises';
import type { Observation } from '#lib/alerts/types.ts';

export type DiskSpaceOf = (folder: string) => Promise<NonNullable<Observation['disk']>>;

/** The room of the disk that a folder is on, in bytes: free is what this process may still use. */
export const diskSpaceOf: DiskSpaceOf = async (folder) => {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
};
