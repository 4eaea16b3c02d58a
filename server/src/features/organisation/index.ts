export type { Power } from './authority.ts';
export type { RuleHold } from './domain.ts';
export { type ControlChanged, organisationEvents } from './events.ts';
export { registerOrganisationRoutes } from './routes.ts';
export { organisationControls } from './service/controls.ts';
export type { CountRoleUses, InRole, OpenWorkPort } from './service/core.ts';
export {
  type AuthorityChange,
  findNamedPeople,
  findPeople,
  findRoleNames,
  type Named,
  type Person,
} from './service/people.ts';
export { describePlace } from './service/place.ts';
export { findRuleHold } from './service/rule-managers.ts';
export {
  appliedNow,
  type ControlOperation,
  type ControlRequest,
  type ControlState,
  checkProposed,
  digestNow,
  makeOrPropose,
  makeProposed,
  type SecondPersonPort,
  type Shown,
} from './service/second-person.ts';
export { findCodeRecipients } from './service/settings.ts';
export { lockOrganisation } from './store/lock.ts';
export { findInactive } from './store/people.ts';
export { type CompanySettings, findCompanySettings } from './store/settings.ts';
