import { Outlet } from '@tanstack/react-router';
import { PolicyList } from '../components/policy-list.tsx';
import { RiskFrame } from '../components/risk-frame.tsx';

/** The risk policies of the company. */
export function Page() {
  return (
    <RiskFrame tab="policy">
      <PolicyList />
      <Outlet />
    </RiskFrame>
  );
}
