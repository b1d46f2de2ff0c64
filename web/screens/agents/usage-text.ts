/** "12,345" */
export const wholeText = (count: number): string => count.toLocaleString('en')

/** "$1.92" */
export const costText = (usd: number): string => `$${usd.toFixed(2)}`
