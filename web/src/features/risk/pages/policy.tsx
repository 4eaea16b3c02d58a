import { Outlet } from '@tanstack/react-router';
import { PendingChanges } from '../../control/index.ts';
import { PolicyList } from '../components/policy-list.tsx';
import { RiskFrame } from '../components/risk-frame.tsx';

const policyKinds = [
  'addRiskPolicy',
  'editRiskPolicy',
  'deleteRiskPolicy',
  'moveRiskPolicy',
  'setRiskPolicyStatus',
] as const;

/** The risk policies of the company. */
export function Page() {
  return (
    <RiskFrame tab="policy">
      <PendingChanges kinds={policyKinds} spaced />
      <PolicyList />
      <Outlet />
    </RiskFrame>
  );
}
