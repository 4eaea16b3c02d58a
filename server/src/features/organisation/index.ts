export { registerOrganisationRoutes } from './routes.ts';
export type { CountRoleUses, OpenWorkPort } from './service/core.ts';
export { findPeople, findRoleNames, type Person } from './service/people.ts';
export { describePlace } from './service/place.ts';
export { findCodeRecipients } from './service/settings.ts';
export { type CompanySettings, findCompanySettings } from './store/settings.ts';
