import { ApprovalSettings } from '../../features/approvals/index.ts';
import { RiskFrame } from '../../features/risk/index.ts';

/** The first tab of /app/risk-setting: approvals stand to the right of risk, so the app puts them together. */
export function Page() {
  return (
    <RiskFrame tab="approval">
      <ApprovalSettings />
    </RiskFrame>
  );
}
