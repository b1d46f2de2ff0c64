import { clockReport } from './clock-report.ts'
import { daemonReports } from './daemon-reports.ts'
import { gitReport } from './git-report.ts'
import { manifestReports } from './manifest-reports.ts'
import type { Report } from './report.ts'

/** In the order of their numbers. */
export const REPORTS: readonly Report[] = [...daemonReports, ...manifestReports, clockReport, gitReport].toSorted(
  (one, other) => (one.number < other.number ? -1 : 1),
)
