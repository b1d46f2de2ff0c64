/** Error of a field that names a closed path. */
export const closedFault = (what: string) => ({
  code: 'path-closed',
  message: `${what} holds credentials or belongs to the daemon, and is not opened`,
  hint: 'copy what is needed to another place; docs/security.md lists the closed paths',
})
