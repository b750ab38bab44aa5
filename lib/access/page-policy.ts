/** The texts of the inline scripts of a page, in order. A script with `src` has no text that would run. */
export function inlineScripts(html: string): readonly string[] {
  return [...html.matchAll(/<script(?<attributes>[^>]*)>(?<text>[\s\S]*?)<\/script>/gi)].flatMap(({ groups }) =>
    /\ssrc\s*=/i.test(groups?.attributes ?? '') ? [] : [groups?.text ?? ''],
  );
}

/** Next's ways of handing a page its data and the list of its files: a push of one JSON value. */
const PUSHES = [
  /^self\.__next_f\.push\((\[[\s\S]*\])\)$/,
  /^\(self\.__next_f=self\.__next_f\|\|\[\]\)\.push\((\[[\s\S]*\])\)$/,
  /^\(globalThis\["TURBOPACK"\] \|\| \(globalThis\["TURBOPACK"\] = \[\]\)\)\.push\((\{[\s\S]*\})\);?$/,
];

/**
 * True for a script that can be nothing but data. It holds the address of the page, so its text cannot be known
 * beforehand, as that of a script that does something must be.
 */
export function isPageData(script: string): boolean {
  const json = PUSHES.map((push) => push.exec(script.trim())?.[1]).find((found) => found !== undefined);
  if (json === undefined) return false;
  try {
    JSON.parse(json);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/**
 * The policy of a page. Scripts are our files and the inline ones of `scriptHashes` (`sha256-…`), nothing else; styles
 * may be inline, since the charts and the menus place themselves by style attributes.
 */
export function pagePolicy(scriptHashes: readonly string[]): string {
  const scripts = scriptHashes.map((hash) => `'${hash}'`).join(' ');
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** For answers that are no pages. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";
