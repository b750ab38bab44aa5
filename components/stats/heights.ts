/** Heights of the drawings, in pixels at the usual size of text. */
export const PANEL_HEIGHT = 210;
export const ADMISSION_HEIGHT = 300;
