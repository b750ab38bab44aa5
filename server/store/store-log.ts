/** The part of the server's logger (pino) that the store uses: what happened with its details, then in words. */
export type StoreLog = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};
