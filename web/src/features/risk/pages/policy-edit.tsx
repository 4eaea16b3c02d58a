import { policyDefinition } from '@causeway/contract/risk.ts';
import { useParams } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { ErrorState, Loading, NoPermission, Skeleton } from '../../../ui/states.tsx';
import { usePolicyVersions } from '../api.ts';
import { PolicyForm } from '../components/policy-form.tsx';
import { policyPath } from '../words.ts';

/** A change of a policy, made from its newest version. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const mayManage = usePermission('policy.manage');
  const versions = usePolicyVersions(id);
  const newest = versions.data?.items[0];
  return (
    <SidePanel title={t('risk.policy.editTitle')} backTo={policyPath}>
      {mayManage === false ? (
        <NoPermission />
      ) : versions.data === undefined && versions.error !== null ? (
        <ErrorState error={versions.error} onRetry={() => void versions.refetch()} />
      ) : (
        <Loading loading={newest === undefined} skeleton={<Skeleton height="h-120" />}>
          {newest && (
            <PolicyForm
              key={id}
              policy={{
                id,
                version: newest.version,
                definition: policyDefinition.parse(newest),
                named: newest.named,
              }}
            />
          )}
        </Loading>
      )}
    </SidePanel>
  );
}
