/**
 * Runs before everything else, inline: zod tries whether it may compile its checks into code, which the page's policy
 * forbids and the browser then complains of.
 */
export const NO_EVAL_SCRIPT = 'globalThis.__zod_globalConfig={jitless:true}';
