import { useText } from '../../../lib/locale.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { PolicyLog } from '../components/policy-log.tsx';
import { policyPath } from '../words.ts';

/** Every change of the policies. */
export function Page() {
  const t = useText();
  return (
    <SidePanel title={t('risk.policy.log')} backTo={policyPath}>
      <PolicyLog policyId={null} />
    </SidePanel>
  );
}
