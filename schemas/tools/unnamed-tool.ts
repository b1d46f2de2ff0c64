/** Name of a tool that its program does not name; it may be any. */
export const UNNAMED_TOOL = 'other'
