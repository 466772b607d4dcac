/** The build makes the style sheet of a page of what its script imports. */
declare module '*.css';
