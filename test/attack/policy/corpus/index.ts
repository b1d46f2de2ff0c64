import { allowArguments } from './allow-arguments.ts'
import { allowPrograms } from './allow-programs.ts'
import { allowShell } from './allow-shell.ts'
import { boundary } from './boundary.ts'
import { denyOptions } from './deny-options.ts'
import { denyPrograms } from './deny-programs.ts'
import { denyShell } from './deny-shell.ts'
import { files } from './files.ts'
import type { Group } from './group.ts'
import { urls } from './urls.ts'

export const corpus: Group[] = [
  ...allowShell,
  ...allowPrograms,
  ...allowArguments,
  ...denyShell,
  ...denyOptions,
  ...denyPrograms,
  ...files,
  ...urls,
  ...boundary,
]
