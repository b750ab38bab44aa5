export const models = {} as const;
