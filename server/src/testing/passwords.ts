import type { PasswordCost } from '../features/identity/passwords.ts';

/** What passwords of tests are hashed with: they are tried many times, and protect nothing. */
export const lowPasswordCost: PasswordCost = { memoryCost: 64, timeCost: 1, parallelism: 1 };
