export const benchmark = {} as const;
