// The limits of an uploaded picture (contract §4). Messages state them in megabytes and megapixels.
export const PICTURE_MEGABYTES = 2;
/** The maximum number of bytes of the uploaded file. */
export const MAX_PICTURE_FILE = PICTURE_MEGABYTES * 1024 * 1024;
export const PICTURE_MEGAPIXELS = 30;
export const MAX_PICTURE_PIXELS = PICTURE_MEGAPIXELS * 1_000_000;
/** The maximum width and height of the stored picture in pixels. */
export const MAX_PICTURE_SIDE = 640;
/** The maximum number of bytes of the stored picture. */
export const MAX_STORED_PICTURE = 200_000;

/** Ends a sentence of an error message: 'of at most 2 MB and 30 million pixels'. */
export const PICTURE_BOUNDS = `of at most ${PICTURE_MEGABYTES} MB and ${PICTURE_MEGAPIXELS} million pixels`;
