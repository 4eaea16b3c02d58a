/**
 * National clearing systems by the codes of ISO 20022's external list "ClearingSystemIdentification", with the form of a member's
 * number there.
 */
export const clearingSystems = {
  AUBSB: { country: 'AU', member: /^\d{6}$/ },
  CACPA: { country: 'CA', member: /^0\d{8}$/ },
  CHBCC: { country: 'CH', member: /^\d{3,5}$/ },
  CNAPS: { country: 'CN', member: /^\d{12}$/ },
  GBDSC: { country: 'GB', member: /^\d{6}$/ },
  HKNCC: { country: 'HK', member: /^\d{3}$/ },
  INFSC: { country: 'IN', member: /^[A-Z]{4}0[A-Z0-9]{6}$/ },
  JPZGN: { country: 'JP', member: /^\d{7}$/ },
  NZNCC: { country: 'NZ', member: /^\d{6}$/ },
  USABA: { country: 'US', member: /^\d{9}$/ },
} as const;
export type ClearingSystem = keyof typeof clearingSystems;
