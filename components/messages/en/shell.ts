export const shell = { skipToContent: 'Skip to the content' } as const;
