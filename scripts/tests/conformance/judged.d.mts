export const OFFERED: Readonly<Record<string, readonly ('http' | 'tools' | 'stdio')[]>>
export const CALLS: Readonly<Record<string, { name: string; arguments: object }>>
export const NOT_OFFERED: Readonly<Record<string, string>>
export function unjudged(scenarios: readonly string[]): { unknown: string[]; gone: string[] }
