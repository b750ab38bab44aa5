import fc from 'fast-check';

/**
 * The tests of properties draw the same values every time, so that a failure of `npm test` is of the change that is
 * tested. `npm run test:properties` draws others, and tells the seed of what it finds.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
