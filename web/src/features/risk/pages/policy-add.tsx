import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { NoPermission } from '../../../ui/states.tsx';
import { PolicyForm } from '../components/policy-form.tsx';
import { policyPath } from '../words.ts';

/** A new policy, behind all others unless it is put before one. */
export function Page() {
  const t = useText();
  return (
    <SidePanel title={t('risk.policy.add')} backTo={policyPath}>
      {usePermission('policy.manage') === false ? <NoPermission /> : <PolicyForm policy={null} />}
    </SidePanel>
  );
}
