/** The name in a model's address, where it is one percent-encoded segment (names contain slashes). */
export function modelNameOf(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A stray percent sign that nobody encoded: the name as it stands.
    return segment;
  }
}

/** The address of a model's page. */
export function modelHref(model: string): string {
  return `/models/${encodeURIComponent(model)}`;
}
