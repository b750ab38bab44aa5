import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { passwordProblem } from '#lib/access/password-hash.ts';

/** What the environment says of access. */
export type AccessSettings = {
  /** Of the person `admin`; null: people are those in the database. */
  readonly adminPassword: string | null;
  /** Start without a password elsewhere than on loopback, to have one chosen by the link that is printed. */
  readonly firstRun: boolean;
  /** `always`: also on loopback, and before the first key is made. */
  readonly requireKeys: 'auto' | 'always';
  /** Names besides the address listened on; `*.example.org` for all below. */
  readonly allowedHosts: readonly string[];
  /** Origins of other pages that may use `/v1`. */
  readonly allowedOrigins: readonly string[];
  /** Addresses whose `X-Forwarded-…` are believed. */
  readonly trustedProxies: readonly string[];
  /** Lets a Prometheus read `/metrics`. */
  readonly metricsToken: string | null;
  /** With which wardens seal what they share of access; null: with the admin's password, where the environment sets it. */
  readonly sharedSecret: string | null;
};

export const NO_ACCESS_SETTINGS: AccessSettings = {
  adminPassword: null,
  firstRun: false,
  requireKeys: 'auto',
  allowedHosts: [],
  allowedOrigins: [],
  trustedProxies: [],
  metricsToken: null,
  sharedSecret: null,
};

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== ''),
);
const yesOrNo = z.enum(['true', 'false', '1', '0'], { error: 'must be true or false' });
const isYes = (value: 'true' | 'false' | '1' | '0' | undefined): boolean => value === 'true' || value === '1';

/** The `WARDEN_…` variables that decide who may enter. */
export const accessVariables = {
  WARDEN_ADMIN_PASSWORD: z
    .string()
    .superRefine((password, check) => {
      const problem = passwordProblem(password);
      // The value itself must not come into the message.
      if (problem !== null) check.addIssue({ code: 'custom', message: problem, input: '' });
    })
    .optional(),
  WARDEN_FIRST_RUN: yesOrNo.optional(),
  WARDEN_REQUIRE_KEYS: z.enum(['auto', 'always'], { error: 'must be auto or always' }).default('auto'),
  WARDEN_ALLOWED_HOSTS: list
    .refine((hosts) => hosts.every((host) => /^(\*\.)?[a-z0-9_.:-]+$/.test(host)), {
      error: 'must be names without scheme or port, separated by commas, such as gpu-box,*.example.org',
    })
    .optional(),
  WARDEN_ALLOWED_ORIGINS: list
    .refine((origins) => origins.every((origin) => /^[a-z][a-z0-9+.-]*:\/\/[^/\s*]+$/.test(origin)), {
      error: 'must be origins separated by commas, such as https://chat.example.org',
    })
    .optional(),
  WARDEN_TRUSTED_PROXIES: list
    .refine((entries) => entries.every(isNetwork), {
      error: 'must be addresses or networks separated by commas, such as 127.0.0.1,10.0.0.0/8',
    })
    .optional(),
  WARDEN_METRICS_TOKEN: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
  WARDEN_SHARED_SECRET: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
};

export function accessSettings(read: z.output<z.ZodObject<typeof accessVariables>>): AccessSettings {
  return {
    adminPassword: read.WARDEN_ADMIN_PASSWORD ?? null,
    firstRun: isYes(read.WARDEN_FIRST_RUN),
    requireKeys: read.WARDEN_REQUIRE_KEYS,
    allowedHosts: read.WARDEN_ALLOWED_HOSTS ?? [],
    allowedOrigins: read.WARDEN_ALLOWED_ORIGINS ?? [],
    trustedProxies: read.WARDEN_TRUSTED_PROXIES ?? [],
    metricsToken: read.WARDEN_METRICS_TOKEN ?? null,
    sharedSecret: read.WARDEN_SHARED_SECRET ?? null,
  };
}

function isNetwork(entry: string): boolean {
  const { address, bits, family } = networkOf(entry);
  return family !== 0 && Number.isInteger(bits) && bits >= 0 && bits <= (family === 4 ? 32 : 128) && address !== '';
}

function networkOf(entry: string): { address: string; bits: number; family: number } {
  const [address = '', bits] = entry.split('/');
  const family = isIP(address);
  return { address, family, bits: bits === undefined ? (family === 4 ? 32 : 128) : Number(bits) };
}

/** The networks as something that can be asked. */
export function networks(entries: readonly string[]): BlockList {
  const made = new BlockList();
  for (const entry of entries) {
    const { address, bits, family } = networkOf(entry);
    made.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  }
  return made;
}
