export const cardsPath = '/app/wallet/credit-card';
