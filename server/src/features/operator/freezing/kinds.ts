import { type FreezeKind, freezeReasons } from '@causeway/contract/freeze-rules.ts';
import type { ProposalKind } from '@causeway/contract/operator-rules.ts';
import * as z from 'zod/mini';
import { translate } from '../../../platform/text/texts.ts';
import { freezeText } from '../../identity/index.ts';
import { type Kind, line } from '../console/kind.ts';
import { findSubject, lockFreezes } from './store.ts';

/** Proposals to unfreeze. */

const textsOf = z.object({ 'en-us': z.string(), 'zh-hk': z.string(), 'zh-cn': z.string() });
const inputOf = z.object({ companyId: z.string(), names: z.optional(textsOf) });
export const unfreezeBefore = z.object({
  frozenAt: z.nullable(z.string()),
  /** Null where the program froze the wallet itself. */
  freezeId: z.nullable(z.string()),
  reason: z.nullable(z.enum(freezeReasons)),
  texts: z.nullable(textsOf),
});

const unfreezing = (kind: FreezeKind): Kind => ({
  subjectKind: kind,
  async before(tx, subjectId, input, { lock }) {
    const { companyId } = inputOf.parse(input);
    if (lock) await lockFreezes(tx, companyId, { alone: false });
    const subject = await findSubject(tx, kind, subjectId, companyId);
    if (!subject) return {};
    const { frozenAt, freezeId, reason, texts } = subject;
    return { frozenAt: frozenAt?.toISOString() ?? null, freezeId, reason, texts };
  },
  titleOf: () => ({}),
  subjectName: (locale, input) => inputOf.parse(input).names?.[locale] ?? null,
  changes(locale, _input, before) {
    const { frozenAt, reason, texts } = unfreezeBefore.parse(before);
    const state = (word: string) => translate(locale, `operator.freeze.${word}`);
    const why = reason === null ? state('byProgram') : freezeText({ reason, texts }, locale);
    return [
      line(locale, 'state', state('frozen'), state('free')),
      line(locale, 'frozenSince', frozenAt, null),
      line(locale, 'cause', why, null),
    ];
  },
  company: ({ input }) => inputOf.parse(input).companyId,
});

export const freezingKinds = {
  'company.unfreeze': unfreezing('company'),
  'wallet.unfreeze': unfreezing('wallet'),
  'member.unfreeze': unfreezing('member'),
} satisfies Partial<Record<ProposalKind, Kind>>;
