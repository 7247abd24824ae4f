/** The client, from its sources: the build puts it into the same files, so that the command line needs no other package. */
export * from '../../sdk/src/index.ts'
