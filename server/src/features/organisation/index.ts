export type { RuleHold } from './domain.ts';
export { type ControlChanged, organisationEvents } from './events.ts';
export { registerOrganisationRoutes } from './routes.ts';
export type { CountRoleUses, InRole, OpenWorkPort } from './service/core.ts';
export { findNamedPeople, findPeople, findRoleNames, type Named, type Person } from './service/people.ts';
export { describePlace } from './service/place.ts';
export { findRuleHold } from './service/rule-managers.ts';
export { findCodeRecipients } from './service/settings.ts';
export { type CompanySettings, findCompanySettings } from './store/settings.ts';
