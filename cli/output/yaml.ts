// YAML of a value; a module of its own, so that it is loaded only where it is asked for.
import { stringify } from 'yaml'

/** Ends in a newline; long lines are kept whole. */
export const yamlText = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })
