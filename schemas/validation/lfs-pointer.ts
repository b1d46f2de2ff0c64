// A pointer of git LFS stands in a repository where the file itself is kept elsewhere: it is text, and none that is meant.

const BEGINS = 'version https://git-lfs.github.com/spec/'

export const isLfsPointer = (text: string): boolean => text.startsWith(BEGINS)

/** As a fault of the file, or of the member that names it. */
export const lfsPointerFault = (what: string) => ({
  code: 'lfs-pointer',
  message: `${what} is a pointer of git LFS, and not the file it stands for, which is not fetched`,
  hint: 'keep it in git itself (git lfs untrack, and add it again); in a working tree of your own, git lfs pull',
})
