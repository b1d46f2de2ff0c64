/** The daemon and its parts, its agents, and the person at the machine when tokens are off. */
const RESERVED = /^(?:operator|controller|daemon|conductor)$|^(?:agent:|svc-)/

/** True for a name that only its bearer may use: not as a token subject, participant or author of anyone else. */
export const isReservedName = (name: string): boolean => RESERVED.test(name)
