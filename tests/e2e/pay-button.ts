/** The name of the button that orders: it takes the price from the wallet, or first adds what is missing. */
export const payButton = /^(Pay|Add \$[\d,.]+ and pay)\b/;
