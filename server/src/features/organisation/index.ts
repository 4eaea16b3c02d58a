export type { Power } from './authority.ts';
export type { RuleHold } from './domain.ts';
export { type ControlChanged, organisationEvents } from './events.ts';
export { registerOrganisationRoutes } from './routes.ts';
export { type Called, findCalled, findDepartmentPaths } from './service/affiliations.ts';
export type { CountUses, InRole, OpenWorkPort } from './service/change.ts';
export { organisationControls } from './service/controls.ts';
export {
  type AuthorityChange,
  asPeople,
  findAsActive,
  findNamedPeople,
  findPeople,
  findRoleNames,
  type Named,
  type Person,
  peopleColumn,
  roleNameOf,
} from './service/people.ts';
export { describePlace } from './service/place.ts';
export { findRuleHold, keepPowers } from './service/rule-managers.ts';
export {
  appliedNow,
  type ControlContext,
  type ControlOperation,
  type ControlRequest,
  type ControlState,
  changing,
  checkProposed,
  digestNow,
  makeOrPropose,
  makeProposed,
  type SecondPersonPort,
  type Shown,
} from './service/second-person.ts';
export { findCodeRecipients } from './service/settings.ts';
export { type Affiliation, findAffiliations, findAllAffiliations, holdAffiliations } from './store/affiliations.ts';
export { lockOrganisation } from './store/lock.ts';
export { findInactive } from './store/people.ts';
export {
  type CompanySettings,
  findCompanySettings,
  findSettingsOf,
  findTimeZone,
  timeZoneColumn,
} from './store/settings.ts';
