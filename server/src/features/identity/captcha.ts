import type { KeyObject } from 'node:crypto';
import { createChallenge, extractParams, verifySolution } from 'altcha-lib/v1';
import * as z from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { countEvent, sweepEvents } from '../../platform/http/throttle.ts';
import { captchaSizes } from './domain.ts';

/**
 * Proof of work in ALTCHA's first format: find the number whose SHA-256 with the salt is the challenge. Its size is the largest
 * number to try; the salt, which the signature covers, names it.
 */
export interface Captcha {
  challenge(
    size: number,
  ): Promise<{ algorithm: string; challenge: string; maxnumber: number; salt: string; signature: string }>;
  /**
   * Uses a solution up. `size` may have doubled once since the challenge was made.
   * @throws DomainError captchaFailed when the solution is wrong, too old, too small, or was used before
   */
  redeem(solution: string, size: number): Promise<void>;
}

const lifetimeMs = 600_000;

const solutionShape = z.strictObject({
  algorithm: z.literal('SHA-256'),
  challenge: z.string().regex(/^[0-9a-f]{64}$/),
  number: z.number().int().min(0).max(captchaSizes.most),
  salt: z.string().max(256),
  signature: z.string().regex(/^[0-9a-f]{64}$/),
  /** How long the widget took; says nothing. */
  took: z.number().optional(),
});

/** @param scope begins the names of its counters: a role of the database may be admitted to some alone */
export function createCaptcha(database: Database, key: KeyObject, scope = ''): Captcha {
  const hmacKey = key.export().toString('hex');
  return {
    async challenge(size) {
      const expires = new Date(Date.now() + lifetimeMs);
      const params = { size: size.toString() };
      const made = await createChallenge({ algorithm: 'SHA-256', hmacKey, maxNumber: size, expires, params });
      return { ...made, maxnumber: size };
    },
    async redeem(text, size) {
      const solution = read(text);
      if (!solution || !(await verifySolution(solution, hmacKey))) throw new DomainError('captchaFailed');
      if (Number(extractParams(solution)['size']) * 2 < size) throw new DomainError('captchaFailed');
      // The mark outlives the challenge, after which it is refused for its age.
      const uses = await database.withoutCompany(async (tx) => {
        await sweepEvents(tx);
        return countEvent(tx, `${scope}captcha:${solution.challenge}`, 2 * lifetimeMs);
      });
      if (uses > 1) throw new DomainError('captchaFailed');
    },
  };
}

function read(text: string): Omit<z.output<typeof solutionShape>, 'took'> | null {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
  } catch {
    return null;
  }
  const result = solutionShape.safeParse(value);
  if (!result.success || !/[?&]expires=\d+/.test(result.data.salt)) return null;
  const { took: _took, ...solution } = result.data;
  return solution;
}
