import { useText } from '../../../lib/locale.tsx';
import { Banner } from '../../../ui/states.tsx';
import { ControlNote, useControlMode } from '../../control/index.ts';

/** That a change of the rules needs another administrator, or waits where there is none. */
export function DualControlNote() {
  const t = useText();
  const mode = useControlMode().data?.modes.find(({ permission }) => permission === 'rule.manage')?.mode;
  if (mode === 'waits') return <ControlNote permission="rule.manage" />;
  return <Banner kind="notice">{t('approvals.dualControl')}</Banner>;
}
