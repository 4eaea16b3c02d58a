import type { BankFileState } from '@causeway/contract/operator-banks-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { fileTones } from '../words.ts';

/** What became of a file, and why it was refused. */
export function FileState({ state, problem }: { state: BankFileState; problem: string | null }) {
  const t = useText();
  return (
    <StatusDot tone={fileTones[state]} {...(problem !== null && { detail: problem })}>
      {t(`ops.bankFile.state.${state}`)}
    </StatusDot>
  );
}
