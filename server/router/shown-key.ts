const DIGITS = 12;

/** What people see of the hash of a session key: its first 12 hex digits, which tell apart all that live at a time. */
export function shownKey(keyHash: string): string {
  return keyHash.slice(0, DIGITS);
}
