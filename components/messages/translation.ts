/** The shape of a set of messages in another language: a missing or an unknown key does not compile. */
export type Translation<T> = { readonly [K in keyof T]: T[K] extends string ? string : Translation<T[K]> };
