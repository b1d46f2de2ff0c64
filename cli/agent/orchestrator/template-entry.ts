// Listed below both `agent` and `agent orchestrator`.
import type { CommandEntry } from '../../program.ts'

export const validateTemplate: CommandEntry = {
  name: 'validate-template',
  summary: 'Validate a prompt template',
  load: () => import('./validate-template.ts'),
}
