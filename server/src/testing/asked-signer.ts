import { readFileSync } from 'node:fs';
import type { Signer, SignRequest } from '../features/chains/index.ts';
import type { ChainWorld } from './chain-world.ts';

type Asked = Pick<Signer, 'sign'>;

/** What the signer gives for a request that it must not refuse. */
export async function signed(signer: Asked, request: SignRequest): Promise<{ raw: string; hash: string }> {
  const answer = await signer.sign(request);
  if (!answer.signed) throw new Error(answer.refusal);
  return answer;
}

/** The signer's refusal of a request; `signed` when there is none. */
export async function refusalOf(signer: Asked, request: SignRequest): Promise<string> {
  const answer = await signer.sign(request);
  return answer.signed ? 'signed' : answer.refusal;
}

/** Ends restore mode as the operator does once everything is explained. */
export function releaseRestoreMode({ asSuperuser }: Pick<ChainWorld, 'asSuperuser'>): Promise<void> {
  return asSuperuser(
    `update causeway.restore_mode set released_at = now(), released_by = 'test', release_reason = 'test'
     where released_at is null`,
  );
}

/** The lines of the signer's journal that are entries. */
export function journalEntries({ journalFile }: Pick<ChainWorld, 'journalFile'>): string[] {
  return readFileSync(journalFile, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"seq"'));
}
