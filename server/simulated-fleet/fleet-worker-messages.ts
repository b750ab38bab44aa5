/** What the embedded fleet's thread says, and what it is told. */
export type WorkerReport = { readonly type: 'listening'; readonly url: string };
export type WorkerCommand = { readonly type: 'close' };
