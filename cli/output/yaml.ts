// Separate module, loaded on demand.
import { stringify } from 'yaml'

export const yamlText = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })
