// Provides the distributor's pictures by product code (contract §4).
import { createContext, use, useMemo, type ReactNode } from 'react';
import { API_HOST } from '../../../client/api/fetch.ts';
import { useRead } from '../../../client/api/use-calls.ts';
import { pathOf } from '../../../shared/endpoint.ts';
import { listProductImages, readProductImage, type Product } from '../contract.ts';

/** The URL of the picture for each product code. */
type Addresses = ReadonlyMap<number, string>;
const PictureContext = createContext<Addresses>(new Map());

export function useDistributorPictures(): Addresses {
  const { data } = useRead(listProductImages);
  return useMemo(() => {
    const addressOf = (productCode: number, hash: string) => API_HOST + pathOf(readProductImage, { productCode, hash });
    return new Map(data?.map(({ product_code, hash }) => [product_code, addressOf(product_code, hash)]));
  }, [data]);
}

/** Loads the list of the distributor's pictures once for all products rendered inside. Until it is loaded, products have no pictures. */
export function DistributorPictures({ children }: { children: ReactNode }): ReactNode {
  return <PictureContext value={useDistributorPictures()}>{children}</PictureContext>;
}

/** Returns the URL of a product's picture; undefined if it has none. */
export const usePicture = ({ product_code }: Pick<Product, 'product_code'>): string | undefined =>
  use(PictureContext).get(product_code ?? -1);
