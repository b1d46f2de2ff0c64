/** Error of a field that references a file of the closed set. */
export const closedFault = (what: string) => ({
  code: 'path-closed',
  message: `${what} holds credentials or belongs to the daemon, and is not read`,
  hint: 'copy the text to another file; docs/security.md lists the closed paths',
})
