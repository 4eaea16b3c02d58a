import { ApprovalSettings } from '../../features/approvals/index.ts';
import { RiskFrame } from '../../features/risk/index.ts';

/** The first tab of /app/risk-setting: approvals are right of risk, so the app composes them. */
export function Page() {
  return (
    <RiskFrame tab="approval">
      <ApprovalSettings />
    </RiskFrame>
  );
}
