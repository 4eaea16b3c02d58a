import {
  type VerificationKind,
  type VerificationResult,
  verificationKinds,
  verificationResults,
} from '@causeway/contract/operator-health-rules.ts';
import type { Tone } from '../../ui/status-dot.tsx';

export const resultTones: Record<VerificationResult, Tone> = {
  agrees: 'positive',
  differs: 'negative',
  failed: 'pending',
};

/** Text ids by value, for filters. */
export const verificationTexts = Object.fromEntries(
  verificationKinds.map((kind: VerificationKind) => [kind, `ops.verified.${kind}`]),
);
export const resultTexts = Object.fromEntries(
  verificationResults.map((result: VerificationResult) => [result, `ops.result.${result}`]),
);
