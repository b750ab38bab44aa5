/** `__Host-`: browsers take such a cookie over TLS alone, for one host, and let no other host set it. */
const SECURE_NAME = '__Host-warden';
const PLAIN_NAME = 'warden_session';

/** The session token in a `Cookie` header; null where there is none. `isTls`: the browser's connection is encrypted. */
export function readSessionCookie(header: string | undefined, isTls: boolean): string | null {
  const name = isTls ? SECURE_NAME : PLAIN_NAME;
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) {
      const value = part.slice(at + 1).trim();
      return /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null;
    }
  }
  return null;
}

/** `Set-Cookie` for a new session; `token` null ends it. */
export function sessionCookie(token: string | null, isTls: boolean, maxAgeSeconds: number): string {
  const attributes = [
    `${isTls ? SECURE_NAME : PLAIN_NAME}=${token ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${token === null ? 0 : maxAgeSeconds}`,
    ...(isTls ? ['Secure'] : []),
  ];
  return attributes.join('; ');
}
