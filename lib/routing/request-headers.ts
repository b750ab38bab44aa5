/** Request headers by lower-case name, as `node:http` gives them. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The header's value (the first, where it came several times); null where it is absent. `name` is in lower case. */
export function headerValue(headers: RequestHeaders, name: string): string | null {
  // A header may be called like a property that every object inherits ("constructor").
  if (!Object.hasOwn(headers, name)) return null;
  const value = headers[name];
  return (typeof value === 'string' ? value : value?.[0]) ?? null;
}
