/** Two operators have agreed on an act: `{ proposalId }`. */
export const actConfirmed = 'operator.actConfirmed';
